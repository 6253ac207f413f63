// Creates clients over several connections for some seconds, each with a request of its own, and reports how many.
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

const [address = '', token = '', connections = '50', seconds = '2', seed = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const start = performance.now();
const end = start + Number(seconds) * 1000;
let created = 0;

await Promise.all(Array.from({ length: Number(connections) }, (_, connection) => createUntilEnd(connection)));
agent.destroy();
process.send?.({ perSecond: created / ((performance.now() - start) / 1000) });
process.disconnect?.();

async function createUntilEnd(connection: number): Promise<void> {
  for (let number = 0; performance.now() < end; number++) {
    await create(`c${seed}-${connection}-${number}@mail.example`);
    created++;
  }
}

function create(email: string): Promise<void> {
  const client = { email, client_name: 'Ada Abebe', client_type: 'individual', group_name: 'Small business' };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}/api/v1/clients/`,
      { method: 'POST', agent, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      async (response) => {
        const answer = (await json(response)) as { message: string };
        if (response.statusCode === 201) resolve();
        else reject(new Error(`answered ${response.statusCode}: ${answer.message}`));
      },
    );
    sent.once('error', reject);
    sent.end(JSON.stringify(client));
  });
}
