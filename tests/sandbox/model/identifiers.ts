// SiYuan identifiers: local time to the second, a dash, seven characters.
import { randomInt } from "node:crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const shape = /^\d{14}-[0-9a-z]{7}$/;

export function isIdentifier(text: string): boolean {
  return shape.test(text);
}

/** Now as yyyyMMddHHmmss in local time, the form of every `updated` stamp. */
export function currentStamp(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return (
    now.getFullYear() +
    two(now.getMonth() + 1) +
    two(now.getDate()) +
    two(now.getHours()) +
    two(now.getMinutes()) +
    two(now.getSeconds())
  );
}

export function randomTail(length: number): string {
  let tail = "";
  for (let index = 0; index < length; index++) tail += alphabet[randomInt(alphabet.length)];
  return tail;
}

export function newIdentifier(): string {
  return `${currentStamp()}-${randomTail(7)}`;
}

export function stampOf(id: string): string {
  return id.slice(0, 14);
}
