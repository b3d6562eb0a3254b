import type { SimulationEnvironment } from './database.ts';
import type { Served } from './processes.ts';
import type { Pace } from './rounds.ts';

/** What every measure is given. */
export interface Bench {
  world: SimulationEnvironment;
  portal: Served;
  pace: Pace;
}

/** A line of the table. */
export interface Figure {
  what: string;
  /** The figure, with its unit. */
  is: string;
  /** What it is to be, and whether it is; absent where a figure is only told. */
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
export const told = (what: string, is: string): Figure => ({ what, is });

export const percent = (value: number): string => `${Math.round(value * 100)} %`;
export const times = (value: number): string => `${value.toFixed(2)} times`;
