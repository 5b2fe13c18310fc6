/** @throws Error when the work has not ended after so many milliseconds, or as it does itself */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('not in time')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
