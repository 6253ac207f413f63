import { firstSerial, type Load, NUMBER, type RequestChoice, SERIAL } from './load.ts';

/** What the script prints at the end. Times are in microseconds. */
export interface WrkSummary {
  requests: number;
  microseconds: number;
  p50: number;
  p99: number;
  max: number;
  errors: Record<'connect' | 'read' | 'write' | 'status' | 'timeout', number>;
}

/** A script in Lua for wrk, which makes every request one of the choices at random, and prints a summary as JSON. */
export function writeScript({ choices, headers, seed }: Load): string {
  return `
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  .join('\n')}
local choices = {
${choices.map(choiceInLua).join('\n')}
}
local random = math.random
local serial = ${firstSerial()}

-- Every request is put together once, except for its number.
function init()
  math.randomseed(${seed})
  for _, choice in ipairs(choices) do
    local text = wrk.format(choice.body and "POST" or "GET", choice.path, nil, choice.body)
    local first, last = text:find(choice.body and ${quote(SERIAL)} or ${quote(NUMBER)}, 1, true)
    choice.before = first and text:sub(1, first - 1) or text
    choice.after = first and text:sub(last + 1)
  end
end

function request()
  local choice = choices[random(#choices)]
  if choice.body then
    serial = serial + 1
    return choice.before .. string.format("%0${SERIAL.length}d", serial) .. choice.after
  end
  if not choice.numbers then return choice.before end
  return choice.before .. random(choice.numbers) .. choice.after
end

function done(summary, latency)
  local errors = summary.errors
  local function time(share) return summary.requests > 0 and latency:percentile(share) or 0 end
  io.write(string.format(
    '\\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"max":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\\n',
    summary.requests, summary.duration, time(50), time(99), summary.requests > 0 and latency.max or 0,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
`;
}

function choiceInLua({ path, numbers, body }: RequestChoice): string {
  const given = body === undefined ? 'nil' : quote(body);
  return `  { path = ${quote(path)}, numbers = ${numbers ?? 'nil'}, body = ${given} },`;
}

/** Paths, headers and bodies are ASCII, for which the literals of JSON and of Lua are the same. */
function quote(value: string): string {
  return JSON.stringify(value);
}
