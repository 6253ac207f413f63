export {
  ANSWER_KEPT_MS,
  type AnswerChange,
  type AnswerContext,
  type AnsweredRequest,
  answerOnce,
  type ChangeAnswer,
} from './answer-once.ts';
export {
  AssignedMeanwhile,
  type AssigningAccount,
  type AssignmentChanges,
  endAssignmentsOf,
} from './assign-clients.ts';
export type { BulkChangeParts, BulkChanges } from './bulk-change.ts';
export type { Client } from './client.ts';
export { COLUMNS, type Column, REQUIRED_COLUMNS } from './client-columns.ts';
export type { ClientCounts } from './client-counts.ts';
export type { EventFields, HistoryLine } from './client-event.ts';
export { toFieldsRecord, toRecord } from './client-record.ts';
export type { ClientExports } from './export-clients.ts';
export { ExportSlots } from './export-slots.ts';
export { GroupChangeCounts, NO_GROUP_CHANGES, newGroupsIn } from './group-change-counts.ts';
export type { ClientImports, Rejection, RowChanges } from './import-clients.ts';
export type { ImportChanges, ImportJobs } from './import-job.ts';
export type { OpenJobs } from './job-runner.ts';
export type { ClientPages } from './list-clients.ts';
export type { ClientChanges, ClientLookup } from './manage-clients.ts';
export type { GroupChanges, Groups } from './manage-groups.ts';
export { type ManyChanges, UNDONE } from './many-clients.ts';
export type { SourceRow } from './parse-row.ts';
export { rebuildIndexes } from './rebuild-indexes.ts';
export type { ReviewQueue } from './review-queue.ts';
export type { ReviewTimes } from './review-times.ts';
export { BulkChangeRunner } from './run-bulk-changes.ts';
export { ImportRunner } from './run-imports.ts';
export { addSample } from './sample-clients.ts';
export type { SavedViews, ViewChanges } from './saved-view.ts';
export type { ClientSearches } from './search-clients.ts';
export { SearchQueue } from './search-queue.ts';
export type { ClientSummaries } from './summarise-clients.ts';
export { type SearchedFields, searchedWords, wordsOfClient } from './words.ts';
export { type AnswerAddition, createClient } from './write-clients.ts';
