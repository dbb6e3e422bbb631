// Times as text. Pure: the time comes from the caller.

/** yyyyMMddHHmmss in the time zone of SiYuan's process, as SiYuan's ids begin. */
export function localStamp(ms: number): string {
  const date = new Date(ms);
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
  return String(date.getFullYear()) + parts.map((part) => String(part).padStart(2, "0")).join("");
}

/** The UTC day as eight digits. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replace(/-/g, "");
}
