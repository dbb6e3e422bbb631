// The part of SiYuan's front-end plugin API that we use. The npm package of its types does not install: it depends on unpublished ones.

declare module "siyuan" {
  export abstract class Plugin {
    /** SiYuan itself; `appId` names this window among the ones that are open. */
    readonly app: { readonly appId: string };
    readonly name: string;
    /** Called once the workspace is shown. */
    onLayoutReady(): void;
  }
  /** `timeout` in milliseconds; 0 stays until it is clicked away. */
  export function showMessage(text: string, timeout?: number, type?: "info" | "error"): void;
}
