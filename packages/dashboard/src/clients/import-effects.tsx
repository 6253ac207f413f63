import { Text } from '@mantine/core';
import type { ImportEffects as Effects } from '#contract/clients/imports.ts';
import { elsewhereText, emailChangeText, repeatsText } from './counted-rows-text.ts';
import { groupChangeTexts } from './group-change-text.ts';
import { statusChangeText } from './status-change-text.ts';

interface ImportEffectsProps {
  effects: Effects;
  /** Whether nothing was imported yet. */
  wouldBe: boolean;
  /** What is said in place of the changes of statuses. */
  statuses?: string | false | undefined;
}

/** What an import did to clients, or would do, beside its numbers. */
export function ImportEffects({ effects, wouldBe, statuses }: ImportEffectsProps) {
  const { status_changes, group_changes, email_changes, emails_elsewhere, repeats } = effects;
  const texts = [
    ...(statuses ? [statuses] : (status_changes?.map((each) => statusChangeText(each, wouldBe)) ?? [])),
    ...groupChangeTexts(group_changes, wouldBe),
    ...(email_changes && email_changes.rows > 0 ? [emailChangeText(email_changes, wouldBe)] : []),
    ...(emails_elsewhere && emails_elsewhere.rows > 0 ? [elsewhereText(emails_elsewhere, wouldBe)] : []),
    ...(repeats && repeats.rows > 0 ? [repeatsText(repeats, wouldBe)] : []),
  ];
  return texts.map((text) => (
    <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  ));
}
