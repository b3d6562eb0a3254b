export { PlanPart } from './components/PlanPart.tsx';
export { RunResult } from './components/RunResult.tsx';
export { RunsTable } from './components/RunsTable.tsx';
export { SkippedNotice } from './components/SkippedNotice.tsx';
export { UndoDialog } from './components/UndoDialog.tsx';
export { changesInWords, describeArrival, originName, pageOfRun, SOURCE_NAMES, sourceOf } from './model/run-text.ts';
