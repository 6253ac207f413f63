import { AppShell, Box, Burger, Container, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { rememberEnvironment, useEnvironment } from '../environment.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Logo } from './logo.tsx';
import { Sidebar } from './sidebar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

/** The layout of every page for signed-in members. */
export function Shell() {
  const environment = useEnvironment();
  const { pathname } = useLocation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  useShortcuts({ onHelp: openHelp });
  useEffect(() => rememberEnvironment(environment), [environment]);
  // On a small screen the menu closes when another page opens.
  useEffect(close, [pathname]);

  return (
    <AppShell
      navbar={{ width: 244, breakpoint: 'md', collapsed: { mobile: !menu } }}
      header={{ height: { base: 56, md: 0 } }}
    >
      <a className="skip" href="#content">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="md" px="md" bg="var(--rollcall-surface)">
        <Group h="100%" justify="space-between">
          <Logo />
          <Burger opened={menu} onClick={toggle} size="sm" aria-label={menu ? 'Close menu' : 'Open menu'} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md" bg="var(--rollcall-surface)">
        <Sidebar onHelp={openHelp} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        {environment === 'sandbox' && <SandboxBanner />}
        <Container size={1120} px={{ base: 'md', sm: 'xl' }} py={{ base: 'lg', sm: 32 }}>
          <Outlet />
        </Container>
      </AppShell.Main>
      <Box>
        <Suspense fallback={null}>
          <CommandPalette />
        </Suspense>
        <KeyboardHelp opened={help} onClose={closeHelp} />
      </Box>
    </AppShell>
  );
}

function SandboxBanner() {
  return (
    <Box className="sandbox-banner" role="note">
      <Text size="sm" fw={600} span>
        Sandbox.
      </Text>{' '}
      <Text size="sm" span>
        For testing only. Clients, groups and API keys here are separate from production.
      </Text>
    </Box>
  );
}
