/** How a request that reads clients can fail. */
export const READING_FAILURES = {
  400: 'A parameter is unknown, given twice or invalid. The message begins with its name.',
  401: 'The access token is missing, invalid, expired, revoked or not allowed from this address.',
  403: 'The API key does not have the scope `clients:read`.',
  429: 'The API key makes too many calls; try again after `Retry-After` seconds.',
  503: 'The service lacks storage or capacity; try again after `Retry-After` seconds.',
};
