import { AppShell, Box, Burger, Container, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { rememberEnvironment, useEnvironment } from '../environment.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Logo } from './logo.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

/** The frame around every page of a signed-in member. */
export function Shell() {
  const environment = useEnvironment();
  const { pathname } = useLocation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  useShortcuts({ onHelp: openHelp });
  useEffect(() => rememberEnvironment(environment), [environment]);
  // The menu of a small screen closes when the page changes.
  useEffect(close, [pathname]);

  return (
    <AppShell
      navbar={{ width: 244, breakpoint: 'sm', collapsed: { mobile: !menu } }}
      header={{ height: { base: 56, sm: 0 } }}
    >
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" px="md" bg="var(--rollcall-surface)">
        <Group h="100%" justify="space-between">
          <Logo />
          <Burger opened={menu} onClick={toggle} size="sm" aria-label={menu ? 'Close the menu' : 'Open the menu'} />
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
