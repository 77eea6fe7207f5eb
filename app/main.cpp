// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/composition.h"
#include "app/headless.h"
#include "app/options.h"
#include "app/quit_signals.h"
#include "app/render.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>
#include <memory>

namespace {

using namespace ddp;
using namespace Qt::StringLiterals;

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// What is wrong with the paths; a window would only say the same a moment later.
std::optional<std::string> problemWith(const std::vector<std::filesystem::path>& paths) {
    for (const auto& path : paths) {
        if (path.extension() == ".nsys-rep")
            return path.string() +
                   " is in the closed format of Nsight Systems. Type: nsys export --type sqlite " +
                   path.string() + " and open what it writes.";
        std::error_code error;
        if (!std::filesystem::exists(path, error))
            return path.string() + " does not exist. Check the spelling of the path.";
    }
    return std::nullopt;
}

QStringList wordsOf(int argc, char** argv) {
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    return words;
}

/// Without a window nobody misses what Qt's offscreen platform says about windows.
void onlyCritical(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "ddpscope: %s\n", qPrintable(text));
}

int runWindow(QApplication& application, const app::Options& options) {
    QApplication::setApplicationName(u"ddpscope"_s);
    QApplication::setApplicationVersion(QStringLiteral(DDP_VERSION));
    QApplication::setDesktopFileName(u"ddpscope"_s);
    QApplication::setQuitOnLastWindowClosed(false); // a closed window may still have a job to end
    ui::Services services = app::makeServices();
    services.keepTraces = !options.noCache;
    if (!options.picture.isEmpty())
        services.settingsFile = u"/dev/null"_s; // the same picture everywhere
    ui::MainWindow window(services, options.theme);
    QApplication::setWindowIcon(QIcon(u":/icons/app.svg"_s));
    if (options.size)
        window.resize(*options.size);

    app::QuitSignals signalsOfSystem;
    int signalNumber = 0;
    QObject::connect(&signalsOfSystem, &app::QuitSignals::quitWanted, &window,
                     [&window, &signalNumber](int number) {
                         signalNumber = number;
                         window.close();
                     });
    QObject::connect(&window, &ui::MainWindow::closed, &application, &QApplication::quit);
    std::unique_ptr<app::Headless> headless;
    if (!options.picture.isEmpty())
        headless = std::make_unique<app::Headless>(window, options.picture);
    window.show();
    if (!options.paths.empty())
        window.openPaths(options.paths);
    else if (!options.demo)
        window.reopenLast();
    if (options.demo)
        window.startCheck(*options.demo);
    const int code = QApplication::exec();
    return signalNumber != 0 ? 128 + signalNumber : code;
}

} // namespace

int main(int argc, char** argv) {
    auto options = app::parseOptions(wordsOf(argc, argv));
    if (!options) {
        std::fprintf(stderr, "ddpscope: %s\n", options.error().message.c_str());
        return app::kExitUsage;
    }
    if (!options->answer.isEmpty()) {
        std::fputs(qPrintable(options->answer), stdout);
        return 0;
    }
    if (const auto problem = problemWith(options->paths)) {
        std::fprintf(stderr, "ddpscope: %s\n", problem->c_str());
        return app::kExitUnreadable;
    }
    const bool headless = !options->picture.isEmpty();
    if (headless && !options->render && options->paths.empty() && !options->demo)
        options->demo = ui::CheckRequest{remote::Simulation::MissingModel, false};
    if (headless)
        qInstallMessageHandler(onlyCritical);
    // A picture of --render is the same on every machine, with a display or without.
    if (options->render || (headless && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!headless && !hasDisplay()) {
        std::fprintf(
            stderr, "ddpscope: There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). Log in with "
                    "a desktop or with ssh -X, or type: ddpscope --demo --headless OUT.png\n");
        return app::kExitNoDisplay;
    }
    QApplication application(argc, argv);
    if (options->render)
        return app::renderPicture(*options);
    return runWindow(application, *options);
}
