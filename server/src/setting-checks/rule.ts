// What the rules of settings have in common.
import type { Config } from '../config.ts';
import type { SettingName, Settings } from '../settings.ts';

/** The settings that a rule reads. */
export interface Subject {
  /** As given, without defaults that depend on other settings. */
  given: Settings;
  config: Config;
  /** Whether the environment has a value. */
  isSet(setting: SettingName): boolean;
  /** The day of the check. */
  today: string;
}

/** An error prevents a start, a warning is logged. */
export interface Rule {
  level: 'error' | 'warning';
  setting: SettingName;
  /** Continues the name of the setting. It never repeats a value that may be secret. */
  text: string;
  isBroken(subject: Subject): boolean;
}

const createRules =
  (level: Rule['level']) =>
  (setting: SettingName, text: string, isBroken: (subject: Subject) => unknown): Rule => ({
    level,
    setting,
    text,
    isBroken: (subject) => Boolean(isBroken(subject)),
  });

export const error = createRules('error');
export const warning = createRules('warning');

export const isHttps = (url: string | undefined) => url?.startsWith('https:') ?? false;
export const isPlainHttp = (url: string | undefined) => url?.startsWith('http:') ?? false;
