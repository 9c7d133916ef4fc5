import { render } from "preact";
import { App } from "./App.tsx";
import { start } from "./state.ts";
import { language } from "./strings.ts";
import "./style/tokens.css";
import "./style/page.css";

document.documentElement.lang = language;
start();
const page = document.getElementById("page");
if (page) render(<App />, page);
