/*
 * Functions that pdf.js calls and one of the oldest supported browsers lacks. Its legacy build replaces others itself.
 * checks/built-scripts.ts reports the next one.
 */
(Promise as { withResolvers?: () => unknown }).withResolvers ??= () => {
  const result: Record<string, unknown> = {};
  result['promise'] = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
};

// A copy is enough: pdf.js only shortens a buffer, and does not use the original afterwards.
(ArrayBuffer.prototype as { transferToFixedLength?: unknown }).transferToFixedLength ??= function (
  this: ArrayBuffer,
  length: number,
) {
  return this.slice(0, length);
};
