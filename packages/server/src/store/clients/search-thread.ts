// Runs in a thread of its own, because SQLite would keep the thread that calls it from answering requests (decision 119).
import { answerInThread } from '../engines/sqlite/answer-in-thread.ts';
import { findMatches, type SearchQuestion } from './find-matches.ts';

answerInThread<SearchQuestion>(({ question, ...task }) => findMatches({ ...question, ...task }));
