// Prints where the browser lies. A program of its own, because jest cannot load the package, which is a module.
import chromium from "@sparticuz/chromium";

process.stdout.write(await chromium.executablePath());
