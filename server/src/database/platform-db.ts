import type { Scope } from './scope.ts';

export declare const platformBrand: unique symbol;

/** Rows of all schools: for logins, jobs and operators. `platform.ts` creates it. */
export interface PlatformDb extends Scope {
  readonly [platformBrand]: true;
}
