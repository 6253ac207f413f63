import fc from 'fast-check';

/** What is sent on one connection, in parts with a pause between them. Then the caller waits, closes its side, or breaks off. */
export interface DrawnConnection {
  parts: Buffer[];
  ending: 'wait' | 'close' | 'break off';
}

const CREATED = '{"email":"raw@mail.example","client_name":"Raw","client_type":"company","group_name":"Raw"}';

interface SentBody {
  headers: string[];
  body: string;
}

/** A connection has up to four requests, which are only answered as long as nothing is wrong. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd });

const rightBody = fc.constantFrom<SentBody[]>(
  { headers: [`Content-Length: ${CREATED.length}`], body: CREATED },
  { headers: ['Transfer-Encoding: chunked'], body: `${CREATED.length.toString(16)}\r\n${CREATED}\r\n0\r\n\r\n` },
  { headers: ['Expect: 100-continue', `Content-Length: ${CREATED.length}`], body: CREATED },
  { headers: [], body: '' },
);

/** Most of them do not agree with their headers. */
const oddBody = fc.constantFrom<SentBody[]>(
  { headers: ['Transfer-Encoding: chunked'], body: `1\r\n{\r\n${'1;x=y\r\n \r\n'.repeat(20)}0\r\nTrailer: x\r\n\r\n` },
  { headers: ['Transfer-Encoding: chunked'], body: 'ffffffffffffffff\r\nx' },
  { headers: ['Transfer-Encoding: chunked'], body: `-1\r\n${CREATED}\r\n0\r\n\r\n` },
  { headers: ['Transfer-Encoding: gzip, chunked'], body: '0\r\n\r\n' },
  { headers: ['Transfer-Encoding: chunked', `Content-Length: ${CREATED.length}`], body: CREATED },
  { headers: ['Transfer-Encoding : chunked'], body: CREATED },
  { headers: ['Transfer-Encoding: xchunked'], body: CREATED },
  { headers: ['Content-Length: 5'], body: CREATED },
  { headers: [`Content-Length: ${CREATED.length + 5}`], body: CREATED },
  { headers: ['Content-Length: 10', 'Content-Length: 20'], body: CREATED },
  { headers: ['Content-Length: +10'], body: CREATED },
  { headers: ['Content-Length: -1'], body: CREATED },
  { headers: ['Content-Length: 99999999999999999999'], body: CREATED },
  { headers: ['Content-Encoding: gzip', `Content-Length: ${CREATED.length}`], body: CREATED },
  { headers: ['Expect: nothing', `Content-Length: ${CREATED.length}`], body: CREATED },
  { headers: [], body: CREATED },
);

const oddHeader = fc.oneof(
  fc.constantFrom(
    'X-Folded: a\r\n b',
    'X-Nul: a\0b',
    'X-Bare: a\nX-Other: b',
    ': no name',
    'No colon',
    'Né: x',
    `X-Long: ${'x'.repeat(20_000)}`,
    'Host: other.example',
    'Host:',
    'Connection: close',
    'Connection: keep-alive, Upgrade\r\nUpgrade: websocket',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    'Authorization: Bearer x\r\nAuthorization: Bearer y',
    'Accept-Encoding: gzip;q=nan, *;q=-1',
    'If-None-Match: "',
    'X-Forwarded-For: \x80\xff',
    'Cookie: a=b; a=c; =; __Host-session=x',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `X-Any: ${text}`),
);

const target = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('/api/v1/clients-list/', '/api/v1/clients/', '/healthz', '/readyz') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '*',
      '//',
      '/../../etc/passwd',
      '/%',
      '/api/v1/clients-list/?page_no=%00',
      '/api/v1/clients-list/#x',
      'http://other.example/api/v1/clients-list/',
      'other.example:443',
      `/${'a'.repeat(20_000)}`,
      '/api/v1/clients-list/?a b',
      '',
      '/\x7f',
      '/é',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => `/${text}`) },
);

const startLine = fc
  .record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('GET', 'POST', 'OPTIONS') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('get', 'CONNECT', 'PRI', 'TRACE', 'M-SEARCH', '', 'X'.repeat(100), '\x16\x03'),
      },
    ),
    target,
    version: fc.oneof(
      { weight: 16, arbitrary: fc.constant('HTTP/1.1') },
      { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'RTSP/1.0', '') },
    ),
  })
  .map(({ method, target, version }) => `${method} ${target} ${version}`);

/** A request of a program with this access token, which may be wrong in any part. */
function drawMessage(token: string): fc.Arbitrary<Buffer> {
  const wellMeant = ['Host: rollcall.example', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  return fc
    .record({
      startLine,
      sent: mostly(rightBody, oddBody),
      odd: mostly(fc.constant<string[]>([]), fc.array(oddHeader, { minLength: 1, maxLength: 2 })),
      lineEnd: fc.constantFrom('\r\n', '\n'),
    })
    .map(({ startLine, sent, odd, lineEnd }) => {
      const end = lineEnd === '\n' && odd.length > 0 ? '\n' : '\r\n';
      const head = [startLine, ...wellMeant, ...sent.headers, ...odd].join(end);
      return Buffer.from(`${head}${end}${end}${sent.body}`, 'latin1');
    });
}

interface Damage {
  at: number;
  removed: number;
  put: Uint8Array;
}

/** `at` is a fraction of the length. */
const damage = fc.record<Damage>({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  removed: fc.integer({ min: 0, max: 8 }),
  put: fc.uint8Array({ maxLength: 8 }),
});

function damaged(bytes: Buffer, { at, removed, put }: Damage): Buffer {
  const start = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)]);
}

/** One or several requests on one connection, nearly right, damaged, cut into pieces, or broken off. */
export function drawConnection(token: string): fc.Arbitrary<DrawnConnection> {
  return fc
    .record({
      messages: fc.array(drawMessage(token), { minLength: 1, maxLength: 4 }),
      damages: mostly(fc.constant<Damage[]>([]), fc.array(damage, { minLength: 1, maxLength: 2 })),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      keeps: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
      ending: fc.constantFrom<DrawnConnection['ending'][]>('wait', 'close', 'break off'),
    })
    .map(({ messages, damages, cuts, keeps, ending }) => {
      const whole = damages.reduce(damaged, Buffer.concat(messages));
      const sent = whole.subarray(0, Math.ceil(keeps * whole.length));
      const places = [0, ...cuts.map((cut) => Math.floor(cut * sent.length)).sort((a, b) => a - b), sent.length];
      const parts = places.slice(1).map((place, index) => sent.subarray(places[index], place));
      return { parts: parts.filter((part) => part.length > 0), ending };
    });
}
