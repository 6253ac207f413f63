import { Group, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconArrowsExchange, IconLogout, IconMoon, IconSearch, IconSun, IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { otherEnvironment, useEnvironment } from '../environment.ts';
import { SWITCH_LABELS } from '../labels.ts';
import { signOut } from '../sign-out.ts';
import { PAGES } from './navigation.ts';

/** Opened with Ctrl/⌘ K: every page, and actions that are available everywhere, such as a search for clients. */
export default function CommandPalette() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState('');
  const other = otherEnvironment(environment);
  const icon = { size: 18, stroke: 1.7 };

  const actions: SpotlightActionData[] = [
    ...PAGES.map(({ to, label, letter, Icon }) => ({
      id: to,
      label,
      leftSection: <Icon {...icon} />,
      rightSection: (
        <Group gap={4} wrap="nowrap">
          <kbd>g</kbd>
          <kbd>{letter}</kbd>
        </Group>
      ),
      onClick: () => navigate({ to, params: { environment } }),
    })),
    {
      id: 'import',
      label: 'Import clients',
      leftSection: <IconUpload {...icon} />,
      onClick: () => navigate({ to: '/$environment/import', params: { environment } }),
    },
    {
      id: 'environment',
      label: SWITCH_LABELS[other],
      leftSection: <IconArrowsExchange {...icon} />,
      onClick: () => navigate({ to: '/$environment/overview', params: { environment: other } }),
    },
    { id: 'light', label: 'Light theme', leftSection: <IconSun {...icon} />, onClick: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark theme', leftSection: <IconMoon {...icon} />, onClick: () => setColorScheme('dark') },
    { id: 'sign-out', label: 'Sign out', leftSection: <IconLogout {...icon} />, onClick: signOut },
  ];
  const search = query.trim();
  if (search !== '') {
    actions.push({
      id: 'search',
      label: `Search clients for “${search}”`,
      keywords: search,
      leftSection: <IconSearch {...icon} />,
      onClick: () => navigate({ to: '/$environment/clients', params: { environment }, search: { search } }),
    });
  }
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      searchProps={{ placeholder: 'Go to a page or search clients…', 'aria-label': 'Go to a page or search clients' }}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
    />
  );
}
