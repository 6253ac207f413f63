import type { MantineColorScheme } from '@mantine/core';
import {
  IconArrowsExchange,
  IconBookmark,
  IconDeviceDesktop,
  IconDownload,
  IconFolder,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconSwitchHorizontal,
  IconUpload,
  IconUser,
} from '@tabler/icons-react';
import type { ClientRecord, CountedGroup, ViewFilters, ViewRecord } from '#contract/clients/index.ts';
import type { KeyRecord } from '#contract/credentials/index.ts';
import type { Environment } from '#contract/environments.ts';
import { SWITCH_LABELS } from '../labels.ts';
import type { Findable } from './best-matches.ts';
import { PAGES } from './navigation.ts';

/** What can be chosen in the palette. */
export interface PaletteEntry extends Findable {
  id: string;
  /** What it is, beside its label. */
  detail?: string;
  Icon: typeof IconUser;
  /** The keys that do the same without the palette, as `Keys` draws them. */
  keys?: string;
  run(): unknown;
}

/** What the entries do. */
export interface PaletteDeeds {
  openPage(to: (typeof PAGES)[number]['to']): unknown;
  openClient(referenceId: string): unknown;
  openGroup(name: string): unknown;
  openView(filters: ViewFilters): unknown;
  openKey(keyId: string): unknown;
  addClient(): unknown;
  exportClients(): unknown;
  createKey(): unknown;
  inviteMember(): unknown;
  switchEnvironment(): unknown;
  setTheme(theme: MantineColorScheme): unknown;
  showShortcuts(): unknown;
  switchAccount(): unknown;
  signOut(): unknown;
}

/** An action in the palette, for those who may import. */
const IMPORT = '/$environment/import';

export function pageEntries({ openPage }: PaletteDeeds): PaletteEntry[] {
  return PAGES.filter(({ to }) => to !== IMPORT).map(({ to, label, letter, Icon }) => ({
    id: to,
    label,
    Icon,
    keys: `g then ${letter}`,
    run: () => openPage(to),
  }));
}

interface ActionScene {
  canEdit: boolean;
  mayExport: boolean;
  other: Environment;
}

export function actionEntries(deeds: PaletteDeeds, { canEdit, mayExport, other }: ActionScene): PaletteEntry[] {
  return [
    ...(canEdit ? changeEntries(deeds) : []),
    ...(mayExport ? [exportEntry(deeds)] : []),
    {
      id: 'environment',
      label: SWITCH_LABELS[other],
      keywords: 'environment',
      Icon: IconArrowsExchange,
      run: deeds.switchEnvironment,
    },
    ...themeEntries(deeds),
    { id: 'shortcuts', label: 'Keyboard shortcuts', keys: '?', Icon: IconKeyboard, run: deeds.showShortcuts },
    { id: 'account', label: 'Switch account', keywords: 'firm', Icon: IconSwitchHorizontal, run: deeds.switchAccount },
    { id: 'sign-out', label: 'Sign out', keywords: 'log out logout', Icon: IconLogout, run: deeds.signOut },
  ];
}

function exportEntry({ exportClients }: PaletteDeeds): PaletteEntry {
  const keywords = 'download file csv excel';
  return { id: 'export', label: 'Export clients…', keywords, Icon: IconDownload, run: exportClients };
}

function changeEntries(deeds: PaletteDeeds): PaletteEntry[] {
  return [
    { id: 'add-client', label: 'Add client', keywords: 'new create', Icon: IconPlus, run: deeds.addClient },
    {
      id: 'import',
      label: 'Import clients',
      keywords: 'upload file csv excel ndjson',
      Icon: IconUpload,
      keys: 'g then i',
      run: () => deeds.openPage(IMPORT),
    },
    { id: 'create-key', label: 'Create API key', keywords: 'new secret token', Icon: IconPlus, run: deeds.createKey },
    { id: 'invite', label: 'Invite member', keywords: 'new add user', Icon: IconPlus, run: deeds.inviteMember },
  ];
}

function themeEntries({ setTheme }: PaletteDeeds): PaletteEntry[] {
  return [
    { id: 'light', label: 'Light theme', keywords: 'colours bright', Icon: IconSun, run: () => setTheme('light') },
    { id: 'dark', label: 'Dark theme', keywords: 'colours night', Icon: IconMoon, run: () => setTheme('dark') },
    {
      id: 'auto',
      label: 'System theme',
      keywords: 'colours automatic',
      Icon: IconDeviceDesktop,
      run: () => setTheme('auto'),
    },
  ];
}

export function clientEntry({ openClient }: PaletteDeeds, client: ClientRecord): PaletteEntry {
  const { reference_id: reference, client_name: label, email, external_id: external } = client;
  return {
    id: `client-${reference}`,
    label,
    detail: `Client, ${email}`,
    ids: [email, reference, external],
    Icon: IconUser,
    run: () => openClient(reference),
  };
}

export function groupEntry({ openGroup }: PaletteDeeds, { group_token: token, group_name: label }: CountedGroup) {
  return { id: `group-${token}`, label, detail: 'Group', ids: [token], Icon: IconFolder, run: () => openGroup(label) };
}

export function viewEntry({ openView }: PaletteDeeds, view: ViewRecord): PaletteEntry {
  const { view_id: id, name: label, is_shared: isShared, filters } = view;
  const detail = isShared ? 'Shared view' : 'View';
  return { id: `view-${id}`, label, detail, Icon: IconBookmark, run: () => openView(filters) };
}

export function keyEntry({ openKey }: PaletteDeeds, { key_id: id, name: label, note }: KeyRecord): PaletteEntry {
  return { id, label, detail: 'API key', keywords: note, ids: [id], Icon: IconKey, run: () => openKey(id) };
}
