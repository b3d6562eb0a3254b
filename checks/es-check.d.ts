declare module 'es-check' {
  interface Config {
    files: string[];
    module: boolean;
    checkBrowser: boolean;
    browserslistQuery: string;
    checkFeatures: boolean;
    /** Names of features, separated by commas. */
    allowList: string;
  }
  export function runChecks(configs: Config[]): Promise<{ errors: { file: string; err: Error }[] }>;
}
