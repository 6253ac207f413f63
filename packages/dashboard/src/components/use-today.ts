import { useEffect, useState } from 'react';

/** Midnight is noticed within this time, also by a computer that was asleep. */
const LOOK_MS = 60_000;

/** Which day it is in the reader's time zone, also on a page that stays open past midnight. */
export function useToday(): string {
  const [today, setToday] = useState(dayNow);
  useEffect(() => {
    const timer = setInterval(() => setToday(dayNow()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return today;
}

function dayNow(): string {
  return new Date().toDateString();
}
