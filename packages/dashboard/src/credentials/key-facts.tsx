import type { KeyDetails } from '#contract/credentials/keys.ts';
import { Address } from '../components/address.tsx';
import { Description, DescriptionList } from '../components/description-list.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_LABELS } from '../labels.ts';
import { accessText } from './access.ts';
import { endTexts } from './key-history.ts';
import { rateLimitText } from './rate-limit-text.ts';

export function KeyFacts({ record }: { record: KeyDetails }) {
  const environment = useEnvironment();
  return (
    <DescriptionList>
      <Description name="Access">{accessText(record.scopes)}</Description>
      <Description name="Environment">{ENVIRONMENT_LABELS[environment]}</Description>
      <Description name="Last used">
        <LastUse record={record} />
      </Description>
      {endTexts(record).map(([words, time]) => (
        <Description key={words} name={words}>
          {time ? <Time value={time} /> : 'Never'}
        </Description>
      ))}
      <Description name="Allowed addresses">
        {record.allowed_networks.length === 0
          ? 'All'
          : record.allowed_networks.map((network) => (
              <div key={network}>
                <code>{network}</code>
              </div>
            ))}
      </Description>
      <Description name="Rate limit">{rateLimitText(record.rate_limit, record.default_rate_limit)}</Description>
      <Description name="Note">{record.note ? <span className="own-lines">{record.note}</span> : 'None'}</Description>
      <Description name="Created">
        <Time value={record.created_at} /> {record.created_by ? `by ${record.created_by}` : 'on the command line'}
      </Description>
      <Description name="Key ID">
        <code>{record.key_id}</code>
      </Description>
    </DescriptionList>
  );
}

function LastUse({ record: { last_used_at: at, last_used_from: from } }: { record: KeyDetails }) {
  if (!at) return 'Never';
  return (
    <>
      <Time value={at} />
      {from && (
        <>
          {' '}
          from <Address value={from} />
        </>
      )}
    </>
  );
}
