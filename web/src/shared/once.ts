/** Makes a value when it is first asked for: the browser's formatters take milliseconds, which a page that starts has not. */
export const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};
