/*
 * Functions that pdf.js calls and one of the oldest supported browsers lacks. Its legacy build replaces others itself.
 * checks/built-scripts.ts reports the next one.
 */
const promises = Promise as { withResolvers?: () => unknown };
const buffers = ArrayBuffer.prototype as ArrayBuffer & { transferToFixedLength?: (length: number) => ArrayBuffer };

promises.withResolvers ??= () => {
  const result: Record<string, unknown> = {};
  result['promise'] = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
};

// A copy is enough: pdf.js only shortens a buffer, and does not use the original afterwards.
buffers.transferToFixedLength ??= function (this: ArrayBuffer, length) {
  return this.slice(0, length);
};
