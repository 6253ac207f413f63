/** Every action that the activity log records. The part before the dot is what the activity page filters by. */
export const ACTIONS = [
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.code-missing',
  'sign-in.proved',
  'sign-in.ended',
  'denial.role',
  'key.created',
  'key.updated',
  'key.rolled',
  'key.secret-ended',
  'key.revoked',
  'key.tokens-ended',
  'member.set-up',
  'member.invited',
  'member.invitation-withdrawn',
  'member.invitation-renewed',
  'member.session-ended',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'member.reset-offered',
  'profile.password-changed',
  'profile.password-forgotten',
  'profile.password-reset',
  'profile.second-factor-added',
  'profile.second-factor-removed',
  'profile.second-factor-reset',
  'profile.identity-linked',
  'profile.passkey-added',
  'profile.passkey-removed',
  'profile.recovery-codes-made',
  'profile.recovery-code-used',
  'profile.session-revoked',
  'account.updated',
  'account.activity-exported',
  'workspace.index-rebuilt',
  'client.added',
  'client.changed',
  'client.assigned',
  'client.erased',
  'client.imported',
  'client.import-cancelled',
  'client.change-cancelled',
  'client.exported',
  'group.created',
  'group.renamed',
  'group.merged',
  'group.deleted',
  'view.saved',
  'view.changed',
  'view.removed',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Those that concern the installation and no account. Only the operator sees them. */
export type InstallationAction =
  | 'sign-in.failed'
  | 'signing-key.made'
  | 'signing-key.rotated'
  | 'signing-key.retired'
  | 'signing-key.removed'
  | 'installation.account-created'
  | 'installation.activity-cut'
  | 'installation.activity-exported'
  | 'installation.epoch-renewed'
  | 'installation.secret-rotated'
  | 'installation.secret-reset'
  | 'installation.words-rebuilt';
