import manifest from '../../package.json' with { type: 'json' };

/** The release, as CHANGELOG.md names it. */
export const VERSION = manifest.version;
