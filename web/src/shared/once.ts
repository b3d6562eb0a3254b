/** Creates a value on first use. The browser's formatters are slow to create while a page starts. */
export const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};
