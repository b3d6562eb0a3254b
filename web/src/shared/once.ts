/** Creates a value on first use. The browser's formatters are slow to create while a page starts. */
export const once = <Value>(create: () => Value): (() => Value) => {
  let value: Value | undefined;
  return () => (value ??= create());
};
