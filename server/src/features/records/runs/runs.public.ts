export {
  type ClassLink,
  listClassLinks,
  listLinks,
  type PupilLink,
  saveClassLinks,
  saveLinks,
  toStoredLink,
} from './links.queries.ts';
export { compareSnapshots, recordRun } from './record-run.service.ts';
export { deleteRows, findRun, findYearEnd, insertRows, listRows, type NewRow, RUN_MS } from './runs.queries.ts';
export { getShownRun, isOpen } from './runs.service.ts';
export { readClasses, readPupils, type Snapshot, takeSnapshot } from './snapshot.queries.ts';
