import type { Holding } from './holding.registry.ts';
import { PORTAL_HOLDINGS } from './portal-holdings.registry.ts';
import { PUPIL_HOLDINGS } from './pupil-holdings.registry.ts';
import { SCHOOL_HOLDINGS } from './school-holdings.registry.ts';
import { STAFF_HOLDINGS } from './staff-holdings.registry.ts';

/*
 * What the portal stores, whose data it is, why, who receives it, and how it is exported and erased. Every table
 * (tables.registry.ts), file and log is a part of one of these. The screen "Data and privacy" and docs/retention.md are
 * made from it, and the nightly retention job, erasure and the school's export follow it.
 */

export const HOLDINGS = { ...PUPIL_HOLDINGS, ...STAFF_HOLDINGS, ...SCHOOL_HOLDINGS, ...PORTAL_HOLDINGS };

export type HoldingName = keyof typeof HOLDINGS;

/** Every holding, in the order of the screen. */
export const holdings = Object.entries(HOLDINGS) as [HoldingName, Holding][];
