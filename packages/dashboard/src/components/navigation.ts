import {
  IconActivity,
  IconChartBar,
  IconChecklist,
  IconFolders,
  IconHelp,
  IconKey,
  IconUpload,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';

/** Every page of the navigation, with the letter that opens it after `g`. */
export const PAGES = [
  { label: 'Overview', to: '/$environment/overview', letter: 'o', Icon: IconChartBar, section: 'data' },
  { label: 'Clients', to: '/$environment/clients', letter: 'c', Icon: IconUsers, section: 'data' },
  { label: 'Review', to: '/$environment/review', letter: 'r', Icon: IconChecklist, section: 'data' },
  { label: 'Groups', to: '/$environment/groups', letter: 'g', Icon: IconFolders, section: 'data' },
  { label: 'Import', to: '/$environment/import', letter: 'i', Icon: IconUpload, section: 'data' },
  { label: 'API keys', to: '/$environment/settings/api-credentials', letter: 'k', Icon: IconKey, section: 'settings' },
  { label: 'Members', to: '/$environment/settings/members', letter: 'm', Icon: IconUsersGroup, section: 'settings' },
  { label: 'Activity', to: '/$environment/settings/activity', letter: 'a', Icon: IconActivity, section: 'settings' },
  { label: 'Profile', to: '/$environment/settings/profile', letter: 'p', Icon: IconUserCircle, section: 'settings' },
  { label: 'Help', to: '/$environment/help', letter: 'h', Icon: IconHelp, section: 'help' },
] as const;
