// SPDX-License-Identifier: GPL-3.0-or-later
// The real window, on a display.
#include "tests/ui/command_line_test.h"
#include "tests/ui/compare_window_test.h"
#include "tests/ui/demo_test.h"
#include "tests/ui/filter_window_test.h"
#include "tests/ui/keys_test.h"
#include "tests/ui/links_window_test.h"
#include "tests/ui/many_lanes_test.h"
#include "tests/ui/navigation_test.h"
#include "tests/ui/output_window_test.h"
#include "tests/ui/overlap_window_test.h"
#include "tests/ui/overview_strip_test.h"
#include "tests/ui/picture_window_test.h"
#include "tests/ui/rules_clocks_test.h"
#include "tests/ui/search_test.h"
#include "tests/ui/session_window_test.h"
#include "tests/ui/slice_details_test.h"
#include "tests/ui/stopping_test.h"
#include "tests/ui/test_list.h"
#include "tests/ui/timeline_window_test.h"
#include "tests/ui/window_docks_test.h"

#include <QApplication>

int main(int argc, char** argv) {
    using namespace ddp;
    QApplication application(argc, argv);
    return test::runTests(
        argc, argv,
        {test::named<ui::DemoTest>("demo"), test::named<ui::StoppingTest>("stopping"),
         test::named<ui::CommandLineTest>("command_line"), test::named<ui::TimelineWindowTest>("timeline"),
         test::named<ui::PictureWindowTest>("picture"), test::named<ui::LinksWindowTest>("links"),
         test::named<ui::ManyLanesTest>("many_lanes"), test::named<ui::OverlapWindowTest>("overlap"),
         test::named<ui::WindowDocksTest>("window_docks"), test::named<ui::FilterWindowTest>("filters"),
         test::named<ui::RulesClocksTest>("rules_clocks"), test::named<ui::SliceDetailsTest>("slice_details"),
         test::named<ui::KeysTest>("keys"), test::named<ui::NavigationTest>("navigation"),
         test::named<ui::OverviewStripTest>("overview_strip"), test::named<ui::SearchTest>("search"),
         test::named<ui::OutputWindowTest>("output"), test::named<ui::SessionWindowTest>("session"),
         test::named<ui::CompareWindowTest>("compare")});
}
