import { readFileSync } from 'node:fs';

export function helpText(): string {
  return `Who are our clients, and where does each stand?

Usage:
  rollcall-clients list [filters] [--all] [--format table|csv|ndjson|json]
  rollcall-clients token

Commands:
  list     One page of clients, newest first; with --all, every client
  token    An access token, for curl and the like

Filters (several must all hold):
  --request-status <status>  pending, declined, completed, accepted or requested
  --client-type <type>       individual or company
  --group-name <name>        the group's whole name
  --client-email <email>     the client's whole email

Options of list:
  --all                      every page, not one
  --page-no <number>         which page; the first if not given
  --page-limit <number>      clients on a page, 1 to 1000
  --format <format>          table on a terminal and ndjson in a pipe if not given
  -q, --quiet                no progress, no totals and no retries on stderr

Options of list and token:
  --retry-for <seconds>      how long each request is tried while the service cannot be reached
                             or is busy; 120 if not given, 0 for once only

  -h, --help                 this text
  --version                  the version

Environment:
  ROLLCALL_API_KEY           the API key
  ROLLCALL_BASE_URL          the address of its environment, such as http://localhost:8080;
                             it may end in /api/v1

Exit codes:
  0  done
  1  something unexpected
  2  the command or the environment must be changed
  3  the API key is not accepted
  4  the service cannot be reached or is busy: try later

Examples:
  rollcall-clients list --request-status completed --all --format csv > completed.csv
  rollcall-clients list --all | jq -r .email
  curl -H "Authorization: Bearer $(rollcall-clients token)" "$ROLLCALL_BASE_URL/api/v1/clients-list/"
`;
}

export function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
