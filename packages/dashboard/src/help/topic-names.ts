/** The pages of docs/ that the dashboard has, with their titles, by whom they are for. The build reads this file, too. */
export const TOPIC_TITLES = {
  'Using the dashboard': {
    dashboard: 'Working in the dashboard',
    review: 'Reviewing clients',
    statuses: 'Statuses and types of clients',
    search: 'Searching clients',
    groups: 'Groups',
    'csv-format': 'Files of clients',
    roles: 'Roles',
    'lost-password': 'A lost password or second factor',
    activity: 'The activity log',
  },
  'Calling the API': {
    'quick-start': 'Quick start',
    push: 'Pushing clients',
    'api-keys': 'API keys',
    errors: 'Errors',
    browsers: 'Web pages',
    'verify-tokens': 'Verifying access tokens',
  },
} as const;

type Titles = typeof TOPIC_TITLES;
export type TopicName = { [Part in keyof Titles]: keyof Titles[Part] }[keyof Titles];

const TITLES: Record<TopicName, string> = {
  ...TOPIC_TITLES['Using the dashboard'],
  ...TOPIC_TITLES['Calling the API'],
};

export function isTopic(name: string): name is TopicName {
  return Object.hasOwn(TITLES, name);
}

export function titleOf(topic: TopicName): string {
  return TITLES[topic];
}
