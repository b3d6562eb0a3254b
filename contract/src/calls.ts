import type { Call } from './call.ts';
import * as access from './calls/access.ts';
import * as charts from './calls/charts.ts';
import * as classes from './calls/classes.ts';
import * as contactUs from './calls/contact-us.ts';
import * as digest from './calls/digest.ts';
import * as invites from './calls/invites.ts';
import * as operators from './calls/operators.ts';
import * as passwords from './calls/passwords.ts';
import * as pupilFiles from './calls/downloads.ts';
import * as pupilImport from './calls/pupil-import.ts';
import * as pupilLogins from './calls/login-cards.ts';
import * as pupilMoves from './calls/class-membership.ts';
import * as pupils from './calls/pupils.ts';
import * as readingApp from './calls/reading-app.ts';
import * as reading from './calls/reading.ts';
import * as schoolDetails from './calls/school-details.ts';
import * as school from './calls/school.ts';
import * as system from './calls/system.ts';
import * as teachers from './calls/teachers.ts';

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'permission' in value && 'path' in value;

/** Every call of the API, for what must hold for all of them: the OpenAPI document, the tests of rights. */
export const allCalls: readonly Call[] = [
  access,
  passwords,
  school,
  schoolDetails,
  teachers,
  invites,
  classes,
  pupils,
  pupilFiles,
  pupilImport,
  pupilLogins,
  pupilMoves,
  reading,
  digest,
  charts,
  readingApp,
  contactUs,
  operators,
  system,
].flatMap((module) => Object.values(module).filter(isCall));
