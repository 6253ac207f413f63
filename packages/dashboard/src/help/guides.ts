import type { TopicName } from './topic-names.ts';

/** A page of docs/, which the build turns into HTML (`guides-plugin.ts`), so that it can be read without the internet. */
export interface Guide {
  html: string;
}

interface Topic {
  title: string;
  description: string;
  load(): Promise<Guide>;
}

export const TOPICS: Record<TopicName, Topic> = {
  statuses: {
    title: 'Statuses and types of clients',
    description: 'What a request status means, and how it may change',
    load: () => import('../../../../docs/statuses.md'),
  },
  search: {
    title: 'Searching clients',
    description: 'How clients are found by words',
    load: () => import('../../../../docs/search.md'),
  },
  groups: {
    title: 'Groups',
    description: 'Renaming, merging and deleting groups',
    load: () => import('../../../../docs/groups.md'),
  },
  'csv-format': {
    title: 'Files of clients',
    description: 'CSV, NDJSON and Excel, for import and export',
    load: () => import('../../../../docs/csv-format.md'),
  },
  roles: {
    title: 'Roles',
    description: 'What owners, admins and viewers may do',
    load: () => import('../../../../docs/roles.md'),
  },
  'lost-password': {
    title: 'A lost password or second factor',
    description: 'When a member cannot sign in any more',
    load: () => import('../../../../docs/lost-password.md'),
  },
  activity: {
    title: 'The activity log',
    description: 'What is in it, and how to verify and export it',
    load: () => import('../../../../docs/activity.md'),
  },
  'quick-start': {
    title: 'Quick start',
    description: 'List clients with curl, TypeScript, the command line and Python',
    load: () => import('../../../../docs/quick-start.md'),
  },
  push: {
    title: 'Pushing clients',
    description: 'Add and change clients from your own system',
    load: () => import('../../../../docs/push.md'),
  },
  'api-keys': {
    title: 'API keys',
    description: 'Scopes, expiry, rolling a key, and what to do when one has leaked',
    load: () => import('../../../../docs/api-keys.md'),
  },
  errors: {
    title: 'Errors',
    description: 'HTTP statuses and messages, and what to do about them',
    load: () => import('../../../../docs/errors.md'),
  },
  browsers: {
    title: 'Web pages',
    description: 'Calling the API from a web page',
    load: () => import('../../../../docs/browsers.md'),
  },
  'verify-tokens': {
    title: 'Verifying access tokens',
    description: 'Checking access tokens in other services',
    load: () => import('../../../../docs/verify-tokens.md'),
  },
};
