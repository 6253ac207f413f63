import type { TopicName } from './topic-names.ts';

/** A page of docs/, which the build turns into HTML (`guides-plugin.ts`), so that it can be read without the internet. */
export interface Guide {
  html: string;
}

interface Topic {
  description: string;
  load(): Promise<Guide>;
}

export const TOPICS: Record<TopicName, Topic> = {
  dashboard: {
    description: 'The list, many clients at once, imports, and what to do when the connection is lost',
    load: () => import('../../../../docs/dashboard.md'),
  },
  review: {
    description: 'Deciding about clients by keyboard',
    load: () => import('../../../../docs/review.md'),
  },
  statuses: {
    description: 'What a request status means, and how it may change',
    load: () => import('../../../../docs/statuses.md'),
  },
  search: {
    description: 'How clients are found by words',
    load: () => import('../../../../docs/search.md'),
  },
  groups: {
    description: 'Renaming, merging and deleting groups',
    load: () => import('../../../../docs/groups.md'),
  },
  'csv-format': {
    description: 'CSV, NDJSON and Excel, for import and export',
    load: () => import('../../../../docs/csv-format.md'),
  },
  roles: {
    description: 'What owners, admins and viewers may do',
    load: () => import('../../../../docs/roles.md'),
  },
  'lost-password': {
    description: 'When a member cannot sign in any more',
    load: () => import('../../../../docs/lost-password.md'),
  },
  activity: {
    description: 'What is in it, and how to verify and export it',
    load: () => import('../../../../docs/activity.md'),
  },
  'quick-start': {
    description: 'List clients with curl, TypeScript, the command line and Python',
    load: () => import('../../../../docs/quick-start.md'),
  },
  push: {
    description: 'Add and change clients from your own system',
    load: () => import('../../../../docs/push.md'),
  },
  'api-keys': {
    description: 'Scopes, expiry, rolling a key, and what to do when one has leaked',
    load: () => import('../../../../docs/api-keys.md'),
  },
  errors: {
    description: 'HTTP statuses and messages, and what to do about them',
    load: () => import('../../../../docs/errors.md'),
  },
  browsers: {
    description: 'Calling the API from a web page',
    load: () => import('../../../../docs/browsers.md'),
  },
  'verify-tokens': {
    description: 'Checking access tokens in other services',
    load: () => import('../../../../docs/verify-tokens.md'),
  },
};
