// pi's loader maps the package's legacy name to its own terminal library; the registry's package of that name is never
// installed.
declare module "@mariozechner/pi-tui" {
  export { Input, SettingsList } from "@earendil-works/pi-tui";
}
