import { Button, Stack, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api.ts';
import { isReachable } from '../connection.ts';
import { PageNotLoaded } from '../lazy-page.ts';
import { CentredPage } from './centred-page.tsx';
import { Notice } from './notice.tsx';

const RETRY_MS = 1000;
/** If loading the page again has not helped within this time, something else is wrong. */
const RELOADED_MS = 10_000;
const RELOADED_AT = 'rollcall-reloaded-at';

/** In place of everything, when not even the session could be read. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <CentredPage title={error instanceof PageNotLoaded ? 'Rollcall cannot be reached' : 'Something went wrong'}>
      <Problem error={error} />
    </CentredPage>
  );
}

/** In place of one page, beside the navigation. */
export function PageError({ error }: ErrorComponentProps) {
  const isAway = error instanceof PageNotLoaded;
  return (
    <Notice tone="error" title={isAway ? 'Rollcall cannot be reached' : 'Something went wrong'}>
      <Problem error={error} />
    </Notice>
  );
}

function Problem({ error }: { error: unknown }) {
  const gaveUp = useReloadWhenReachable(error instanceof PageNotLoaded);
  if (error instanceof PageNotLoaded && !gaveUp) return <Text size="sm">This page opens when Rollcall is back.</Text>;
  return (
    <Stack align="flex-start" gap="sm">
      {isForPeople(error) ? <Text size="sm">{error.message}</Text> : <Defect error={error} />}
      <Button size="xs" variant="default" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </Stack>
  );
}

/** Other errors are those of the program, whose words help only those who know it. */
function isForPeople(error: unknown): error is Error {
  return error instanceof ApiError || error instanceof PageNotLoaded;
}

function Defect({ error }: { error: unknown }) {
  return (
    <Text size="sm" component="div">
      This page cannot be shown because of a mistake in Rollcall. If it happens again, tell whoever runs Rollcall what
      you did, and this: <code>{error instanceof Error ? error.message : String(error)}</code>
    </Text>
  );
}

/** A browser may remember that a script could not be loaded, so the whole page is loaded again. Returns whether that did not help. */
function useReloadWhenReachable(isOn: boolean): boolean {
  const [gaveUp, setGaveUp] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    const wait = async () => {
      let wasAway = false;
      while (!isOver && !(await isReachable())) {
        wasAway = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      if (isOver) return;
      if (!wasAway && Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOADED_MS) return setGaveUp(true);
      sessionStorage.setItem(RELOADED_AT, String(Date.now()));
      window.location.reload();
    };
    wait();
    return () => {
      isOver = true;
    };
  }, [isOn]);
  return gaveUp;
}
