import { readFileSync } from 'node:fs';

export function helpText(): string {
  return `Who are our clients, and where does each stand?

Usage:
  rollcall-clients list [filters] [options]
  rollcall-clients summary [filters] [options]
  rollcall-clients add [fields] [options]
  rollcall-clients update <reference_id> [fields] [options]
  rollcall-clients import <file> [options]
  rollcall-clients token [options]

Commands:
  list     List one page of clients, or all of them with --all
  summary  Count clients by status, type and group, as JSON
  add      Add a client, and print it
  update   Change the given fields of a client, and print it
  import   Send a file of clients to the service, wait until it is imported, and print the result as JSON
  token    Print an access token, for example for curl

Filters of list and summary (a client must match all of them):
  --request-status <list>    the request status: pending, declined, completed, accepted, requested, or
                             several of them separated by commas
  --client-type <type>       the client type: individual or company
  --client-status <status>   active or inactive
  --group-name <name>        the whole name of the group
  --group-token <list>       up to 20 tokens of groups, separated by commas
  --client-email <email>     the whole email of the client
  --reference-id <list>      up to 100 references of clients, separated by commas
  --external-id <list>       up to 100 ids of clients in your own system, separated by commas
  --created-from <time>      created at this time or later: a date such as 2026-01-31, or a time such as
                             2026-01-31T09:30:00Z
  --created-to <time>        created before this time

Fields of add and update:
  --email <email>            the email of the client
  --client-name <name>       the name of the client
  --client-type <type>       individual or company
  --group-name <name>        the group of the client, which is created if there is none with this name
  --group-token <token>      instead of --group-name: the token of a group
  --external-id <id>         the id of the client in your own system
  --request-status <status>  the request status (of a new client: requested by default)
  --client-status <status>   active or inactive (of a new client: active by default)
  --created-at <time>        only add: when the client was created, such as 2026-01-31T09:30:00Z (default: now)
  --reason <text>            only update: why the client is changed, for its history

Options of list:
  --all                      list all pages
  --order <order>            newest or oldest first (default: newest)
  --include <list>           further fields, separated by commas: external_id, updated_at
  --page-no <number>         the number of the page (default: 1)
  --page-limit <number>      clients per page, 1 to 1000 (default: 10; with --all 1000)

Options of list, add and update:
  --format <format>          table, csv, ndjson or json (default: table on a terminal, otherwise ndjson)
  -q, --quiet                print no progress, totals or retries on stderr

Options of import (by its name, the file is .csv, .ndjson, .jsonl, one of these with .gz, or .xlsx; - is CSV from stdin):
  --dry-run                  only check what the import would do
  --only <rows>              insert: leave existing clients as they are; update: add no clients
  --keep-status              let existing clients keep their statuses
  --mapping <column:field>   which column of the file is which field, if its name is another one; may be
                             repeated
  --ignore-unknown-columns   import a file that has other columns, without them
  --dates <form>             how dates are written: iso as 2026-01-31, day-first as 31.01.2026 or 31/01/2026,
                             month-first as 01/31/2026 (default: iso)
  --time-zone <name>         of dates without an offset, such as Europe/Zurich (default: UTC)
  --values <field:value:word>
                             what a value means, such as client_type:Person:individual; may be repeated
  --encoding <encoding>      the encoding of a text that is not UTF-8, such as windows-1252
  --rejects <file>           write the rejected rows and the reasons to this CSV file
  -q, --quiet                print no progress or retries on stderr

Options of all commands:
  --retry-for <seconds>      how long a request is retried while the service is unreachable or busy
                             (default: 120); 0 turns retries off

General options:
  -h, --help                 show this help
  --version                  show the version

Environment variables:
  ROLLCALL_API_KEY           the API key
  ROLLCALL_BASE_URL          the address of the environment that the key belongs to, such as
                             http://127.0.0.1:8080; it may end in /api/v1

Exit codes:
  0  success
  1  unexpected failure
  2  wrong usage, a wrong environment variable, or a client that does not exist
  3  the API key is not accepted, or may not make this call
  4  the service is unreachable or busy; try again later
  5  rows of the import were rejected
  6  the change contradicts what is stored, for example because the email is taken

Examples:
  $ rollcall-clients list --request-status completed --all --format csv > completed.csv
  $ rollcall-clients list --all | jq -r .email
  $ rollcall-clients add --email ada@mail.example --client-name "Ada Abebe" --client-type individual \\
      --group-name Partners | jq -r .reference_id
  $ rollcall-clients update 1769850600000-000000000001 --request-status accepted --reason "Signed today"
  $ rollcall-clients import clients.csv --rejects rejects.csv
  $ rollcall-clients summary --client-status active | jq .by_request_status
  $ curl -H "Authorization: Bearer $(rollcall-clients token)" "$ROLLCALL_BASE_URL/api/v1/clients-list/"
`;
}

export function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
