import {
  ActionIcon,
  Box,
  Divider,
  Group,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import {
  IconBook,
  IconExternalLink,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconSwitchHorizontal,
} from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { WaitingCount } from '../clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { loadPage } from '../load-page.ts';
import { sessionQuery, useApiReference } from '../session.ts';
import { signOut } from '../sign-out.ts';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { Logo } from './logo.tsx';
import { PAGES } from './navigation.ts';

export function Sidebar({ onHelp, onPalette }: { onHelp(): void; onPalette(): void }) {
  return (
    <Stack h="100%" gap="md">
      <Box visibleFrom="md" px={4} pt={4}>
        <Logo />
      </Box>
      <EnvironmentSwitch />
      <UnstyledButton className="search-button" onClick={onPalette}>
        <IconSearch size={16} stroke={1.7} />
        <span>Go to…</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</kbd>
      </UnstyledButton>
      <Box component="nav" aria-label="Pages" flex={1} style={{ overflowY: 'auto' }}>
        <NavLinks section="data" />
        <Text size="xs" fw={600} c="dimmed" mt="lg" mb={6} px={10}>
          Settings
        </Text>
        <NavLinks section="settings" />
      </Box>
      <Box component="nav" aria-label="Help">
        <NavLinks section="help" />
        <ReferenceLink />
      </Box>
      <Divider color="var(--rollcall-line)" />
      <SignedInMember onHelp={onHelp} />
    </Stack>
  );
}

function NavLinks({ section }: { section: (typeof PAGES)[number]['section'] }) {
  const environment = useEnvironment();
  const isFromReview = useSearch({ strict: false, select: ({ queue }) => queue !== undefined });
  return PAGES.filter((page) => page.section === section).map(({ to, label, Icon }) => (
    <Link key={to} to={to} params={{ environment }} className="nav-link" {...(isFromReview && NAV_FROM_REVIEW[to])}>
      <Icon size={18} stroke={1.7} aria-hidden />
      {label}
      {to === '/$environment/review' && <WaitingCount />}
    </Link>
  ));
}

/** A client that was opened from the review belongs to it, although its address begins with that of the clients. */
const NAV_FROM_REVIEW: { [to in (typeof PAGES)[number]['to']]?: object } = {
  '/$environment/clients': { activeOptions: { exact: true } },
  '/$environment/review': { 'data-status': 'active', 'aria-current': 'page' },
};

/** The API describes itself, on its own address. */
function ReferenceLink() {
  const reference = useApiReference();
  if (reference === undefined) return null;
  return (
    <a href={reference} target="_blank" rel="noreferrer" className="nav-link">
      <IconBook size={18} stroke={1.7} aria-hidden />
      API reference
      <IconExternalLink size={14} stroke={1.7} aria-label="(opens in a new tab)" />
    </a>
  );
}

function SignedInMember({ onHelp }: { onHelp(): void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark = colorScheme === 'dark' || (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <Box>
      <Text size="sm" fw={600} truncate>
        {session.account_name}
      </Text>
      <Text size="xs" c="dimmed" truncate title={session.email}>
        {session.email}
      </Text>
      <Group gap={4} mt={8} ml={-6}>
        <IconAction label={dark ? 'Light theme' : 'Dark theme'} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
          {dark ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
        </IconAction>
        <IconAction label="Keyboard shortcuts" onClick={onHelp}>
          <IconKeyboard size={18} stroke={1.7} />
        </IconAction>
        <IconAction label="Switch account" onClick={() => loadPage('/sign-in?step=switch')}>
          <IconSwitchHorizontal size={18} stroke={1.7} />
        </IconAction>
        <IconAction label="Sign out" onClick={signOut}>
          <IconLogout size={18} stroke={1.7} />
        </IconAction>
      </Group>
    </Box>
  );
}

function IconAction({ label, onClick, children }: { label: string; onClick(): void; children: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" c="dimmed" size={32} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
