import type { Call } from './call.ts';
import * as access from './calls/access.ts';
import * as charts from './calls/charts.ts';
import * as classes from './calls/classes.ts';
import * as pupilImport from './calls/pupil-import.ts';
import * as pupilLogins from './calls/pupil-logins.ts';
import * as pupilMoves from './calls/pupil-moves.ts';
import * as pupils from './calls/pupils.ts';
import * as readingApp from './calls/reading-app.ts';
import * as reading from './calls/reading.ts';
import * as school from './calls/school.ts';
import * as system from './calls/system.ts';

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'permission' in value && 'path' in value;

/** Every call of the API, for what must hold for all of them: the OpenAPI document, the tests of rights. */
export const allCalls: readonly Call[] = [access, school, classes, pupils, pupilImport, pupilLogins, pupilMoves, reading, charts, readingApp, system].flatMap((module) =>
  Object.values(module).filter(isCall),
);
