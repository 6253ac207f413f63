import type { BrowserRecord } from '#contract/members/browsers.ts';
import { Section } from '../components/section.tsx';
import { BrowserList } from './browser-list.tsx';

export function SessionsSection({ browsers }: { browsers: BrowserRecord[] }) {
  return (
    <Section
      title="Where you are signed in"
      description="If you do not recognise a browser, sign it out and change your password."
    >
      <BrowserList browsers={browsers} path="/profile/sessions" />
    </Section>
  );
}
