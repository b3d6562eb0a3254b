import type { ProgramScope } from '#contract/programs.ts';

/** What a program may do. */
export interface ProgramGrant {
  id: number;
  scopes: readonly ProgramScope[];
  /** The classes to which it is limited; null for the whole school. */
  classIds: readonly number[] | null;
  networkHash: Buffer | null;
  otherNetworkAt: Date | null;
}
