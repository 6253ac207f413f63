import { Anchor, AppShell, Box, Burger, Container, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { BackgroundChanges, EndedImport } from '../clients/index.ts';
import { rememberEnvironment, useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';
import { showMessageFromBefore } from '../tell-after-loading.ts';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Logo } from './logo.tsx';
import { Notice } from './notice.tsx';
import { MENU_BUTTON_ID } from './page-keys.ts';
import { Sidebar } from './sidebar.tsx';
import { useFocusTitle } from './use-focus-title.ts';
import { useMenuEscape } from './use-menu-escape.ts';
import { useShortcuts } from './use-shortcuts.ts';

const MENU_ID = 'menu';

/** The layout of every page for signed-in members. */
export function Shell() {
  const environment = useEnvironment();
  const { account_id: accountId } = useSuspenseQuery(sessionQuery).data;
  const pathname = useLocation({ select: (location) => location.pathname });
  const [menu, { toggle, close }] = useDisclosure(false);
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  const [palette, { open: openPalette, close: closePalette, toggle: togglePalette }] = useDisclosure(false);
  useShortcuts({ onHelp: openHelp, onPalette: togglePalette, isPaletteOpen: palette });
  useEffect(() => rememberEnvironment(accountId, environment), [accountId, environment]);
  useEffect(showMessageFromBefore, []);
  // On a small screen the menu closes when another page opens.
  useEffect(close, [pathname]);
  useMenuEscape(close);
  useFocusTitle();

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
          <Burger
            id={MENU_BUTTON_ID}
            opened={menu}
            onClick={toggle}
            size="sm"
            aria-label={menu ? 'Close menu' : 'Open menu'}
            aria-expanded={menu}
            aria-controls={MENU_ID}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id={MENU_ID} className={menu ? '' : 'closed-menu'} p="md" bg="var(--rollcall-surface)">
        <Sidebar onHelp={openHelp} onPalette={openPalette} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <ConnectionBanner />
        {environment === 'sandbox' && <SandboxBanner />}
        <BackgroundChanges />
        <EndedImport />
        <Container size={1120} px={{ base: 'md', sm: 'xl' }} py={{ base: 'lg', sm: 32 }}>
          <PageOrSecondFactor />
        </Container>
      </AppShell.Main>
      <Box>
        <CommandPalette opened={palette} onClose={closePalette} onHelp={openHelp} />
        <KeyboardHelp opened={help} onClose={closeHelp} />
      </Box>
    </AppShell>
  );
}

/**
 * A member of an account that requires a second factor sees only the page on which they can add it. That page stays where it
 * is when the notice goes, because it then shows the recovery codes.
 */
function PageOrSecondFactor() {
  const environment = useEnvironment();
  const pathname = useLocation({ select: (location) => location.pathname });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const mustAdd = session.must_add_second_factor;
  const isProfile = pathname.endsWith('/settings/profile');
  return (
    <>
      {mustAdd && <SecondFactorNotice isProfile={isProfile} />}
      {/* Begins anew in the other environment, so that nothing is sent there that was typed or opened in this one. */}
      {(!mustAdd || isProfile) && <Outlet key={environment} />}
    </>
  );
}

function SecondFactorNotice({ isProfile }: { isProfile: boolean }) {
  const environment = useEnvironment();
  return (
    <Box mb="lg">
      <Notice tone="warning" title="Your account requires a second factor">
        {isProfile ? (
          'Add one below to continue.'
        ) : (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/$environment/settings/profile" params={{ environment }} {...props} />}
          >
            Add one to continue
          </Anchor>
        )}
      </Notice>
    </Box>
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
