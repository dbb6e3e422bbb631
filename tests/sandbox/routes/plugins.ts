// Plugin administration: enabling restarts a plugin with a fresh token.
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";

async function setPetalEnabled({ plugins, arguments: fields }: RouteCall): Promise<Envelope> {
  const name = fields.requiredText("packageName");
  if (typeof fields.fields.enabled !== "boolean") throw new Refusal(-1, "Field [enabled] is required");
  const petal = await plugins.setEnabled(name, fields.fields.enabled);
  if (!petal) throw new Refusal(-1, `plugin [${name}] not found`);
  return success(petal);
}

function listLoadedPlugins({ plugins }: RouteCall): Envelope {
  const list = plugins.describeAll();
  return success(list.length > 0 ? list : null);
}

function getLoadedPlugin({ plugins, arguments: fields }: RouteCall): Envelope {
  const name = fields.requiredText("name");
  const found = plugins.describeAll().find((plugin) => plugin.name === name);
  if (!found) throw new Refusal(4, `Plugin [${name}] not loaded`);
  return success(found);
}

/** Reading the publish settings restarts the publish service and with it renews the token key: a defect, kept. */
function getPublish({ plugins }: RouteCall): Envelope {
  plugins.tokens.rotateKey();
  return success({ port: 0, publish: { enable: false, port: 6808, auth: { enable: true, accounts: [] } } });
}

export const pluginRoutes: RouteTable = {
  "petal/setPetalEnabled": setPetalEnabled,
  "plugin/listLoadedPlugins": listLoadedPlugins,
  plugin: listLoadedPlugins,
  "plugin/getLoadedPlugin": getLoadedPlugin,
  "setting/getPublish": getPublish,
};
