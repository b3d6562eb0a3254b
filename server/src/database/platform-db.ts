import type { Scope } from './scope.ts';

export declare const platformBrand: unique symbol;

/** Rows of all schools: for login, jobs and operators. `platform.ts` hands it out. */
export interface PlatformDb extends Scope {
  readonly [platformBrand]: true;
}
