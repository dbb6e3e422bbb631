// What the front end tells the owner, in SiYuan's two main languages.

import { tokenSecret } from "../shared/wire/plugin.js";
import type { Repair } from "./token-repair.js";

type Told = Exclude<Repair, "not-needed">;

const english: Record<Told, string> = {
  repaired: `Sisyphus: SiYuan had invalidated the plugin's own token at boot; the plugin was enabled again and works. To make this last, store your API token as the SiYuan secret ${tokenSecret}.`,
  failed: `Sisyphus: SiYuan invalidated the plugin's own token at boot, and enabling the plugin again did not help. Store your API token (Settings, About) as the SiYuan secret ${tokenSecret}.`,
};

const chinese: Record<Told, string> = {
  repaired: `Sisyphus：思源在启动时使插件自身的令牌失效，插件已重新启用并恢复正常。要长期解决，请把 API token 存为思源密钥 ${tokenSecret}。`,
  failed: `Sisyphus：思源在启动时使插件自身的令牌失效，重新启用插件后仍未恢复。请把 API token（设置 - 关于）存为思源密钥 ${tokenSecret}。`,
};

/** `language` as the document declares it, for example en_US or zh_CN. */
export function repairMessage(result: Told, language: string): string {
  return (language.startsWith("zh") ? chinese : english)[result];
}
