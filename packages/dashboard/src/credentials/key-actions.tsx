import { Button } from '@mantine/core';
import { useState } from 'react';
import type { KeyDetails } from '#contract/credentials/keys.ts';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { isUsable } from './key-state.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RollKeyDialog } from './roll-key-dialog.tsx';

/** What can be done with a key. An expired key can get a later expiry, and a revoked one stays as it is. */
export function KeyActions({ record }: { record: KeyDetails }) {
  const [open, setOpen] = useState<'edit' | 'roll' | 'revoke'>();
  const close = () => setOpen(undefined);
  const { state } = record;
  return (
    <>
      {state !== 'revoked' && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          Edit
        </Button>
      )}
      {isUsable(state) && (
        <Button variant="default" onClick={() => setOpen('roll')}>
          Roll…
        </Button>
      )}
      {state !== 'revoked' && (
        <Button variant="default" onClick={() => setOpen('revoke')}>
          Revoke…
        </Button>
      )}
      {open === 'edit' && <EditKeyDialog record={record} onClose={close} />}
      {open === 'roll' && <RollKeyDialog record={record} onClose={close} />}
      {open === 'revoke' && <RevokeKeyDialog record={record} onClose={close} />}
    </>
  );
}
