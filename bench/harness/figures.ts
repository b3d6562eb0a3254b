import type { Environment } from './environment.ts';
import type { ServerProcess } from './portal.ts';
import type { Pace } from './rounds.ts';

/** The input of every measurement. */
export interface Bench {
  environment: Environment;
  portal: ServerProcess;
  pace: Pace;
  isSmall: boolean;
  printLine: (line: string) => void;
}

/** A line of the table. */
export interface Figure {
  what: string;
  /** The value with its unit. */
  is: string;
  /** The bound and whether it is met; absent for information. */
  target?: string;
  met?: boolean;
}

export const perSecond = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)}/s`;
export const inSeconds = (value: number): string => `${value.toFixed(2)} s`;
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;

export const atLeast = (what: string, value: number, target: number, show: (value: number) => string): Figure => ({
  what,
  is: show(value),
  target: `≥ ${show(target)}`,
  met: value >= target,
});
export const atMost = (what: string, value: number, target: number, show: (value: number) => string): Figure => ({
  what,
  is: show(value),
  target: `≤ ${show(target)}`,
  met: value <= target,
});
export const info = (what: string, is: string): Figure => ({ what, is });

export const percent = (value: number): string => `${Math.round(value * 100)} %`;
export const times = (value: number): string => `${value.toFixed(2)} times`;
