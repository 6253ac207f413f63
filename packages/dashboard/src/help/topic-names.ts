/** The pages of docs/ that the dashboard has, by whom they are for. The build reads this file, too. */
export const TOPIC_NAMES = {
  'Using the dashboard': ['statuses', 'search', 'groups', 'csv-format', 'roles', 'lost-password', 'activity'],
  'Calling the API': ['quick-start', 'push', 'api-keys', 'errors', 'browsers', 'verify-tokens'],
} as const;

export type TopicName = (typeof TOPIC_NAMES)[keyof typeof TOPIC_NAMES][number];

export function isTopic(name: string): name is TopicName {
  return Object.values(TOPIC_NAMES).some((names) => names.some((each) => each === name));
}
